/** Validation of JSON from the server, with schemas that are generated from the Rust types. */

import type { Responses } from "./generated/api";
import { SCHEMAS } from "./generated/schemas";

/** The part of JSON Schema that the generated schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Returns the value if it is valid, and throws otherwise. */
export function validate<Name extends keyof Responses>(name: Name, value: unknown): Responses[Name] {
  const { value: problem } = problemsOf({ $ref: name }, value, name).next();
  if (problem) {
    throw new Error(`invalid data from the server: ${problem}; reload the page`);
  }
  return value as Responses[Name];
}

function* problemsOf(schema: Schema, value: unknown, path: string): Generator<string, void> {
  if (schema.$ref !== undefined) {
    yield* problemsOf(resolve(schema.$ref), value, path);
  }
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined && !variants.some((variant) => problemsOf(variant, value, path).next().done)) {
    yield `${path} has an unknown form`;
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined && !values.includes(value)) {
    yield `${path} is ${JSON.stringify(value)}`;
  }
  const types = schema.type === undefined ? null : [schema.type].flat();
  if (types !== null && !typesOf(value).some((type) => types.includes(type))) {
    yield `${path} is not of type ${types.join(" or ")}`;
  }
  if (Array.isArray(value)) {
    yield* itemProblems(schema, value, path);
  } else if (typeof value === "object" && value !== null) {
    yield* fieldProblems(schema, value as Record<string, unknown>, path);
  }
}

function resolve(reference: string): Schema {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const schema = (SCHEMAS as Readonly<Record<string, Schema>>)[name];
  if (schema === undefined) {
    throw new Error(`unknown schema: ${name}`);
  }
  return schema;
}

/** The types of JSON Schema that a value has. */
function typesOf(value: unknown): readonly string[] {
  if (typeof value === "number") {
    return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  }
  return [value === null ? "null" : Array.isArray(value) ? "array" : typeof value];
}

function* itemProblems({ items = {}, minItems = 0, maxItems = Infinity }: Schema, list: unknown[], path: string) {
  if (list.length < minItems || list.length > maxItems) {
    yield `${path} has ${list.length} items`;
  }
  for (const [n, item] of list.entries()) {
    yield* problemsOf(items, item, `${path}[${n}]`);
  }
}

function* fieldProblems({ properties = {}, required = [] }: Schema, fields: Record<string, unknown>, path: string) {
  for (const name of required.filter((name) => fields[name] === undefined)) {
    yield `${path}.${name} is missing`;
  }
  for (const [name, schema] of Object.entries(properties).filter(([name]) => fields[name] !== undefined)) {
    yield* problemsOf(schema, fields[name], `${path}.${name}`);
  }
}
