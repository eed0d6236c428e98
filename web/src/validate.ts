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
  const problem = findProblem(resolve(name), value, name);
  if (problem !== null) {
    throw new Error(`invalid data from the server: ${problem}; reload the page`);
  }
  return value as Responses[Name];
}

function resolve(reference: string): Schema {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const schema = (SCHEMAS as Readonly<Record<string, Schema>>)[name];
  if (schema === undefined) {
    throw new Error(`unknown schema: ${name}`);
  }
  return schema;
}

function findProblem(schema: Schema, value: unknown, path: string): string | null {
  const inherited = schema.$ref === undefined ? null : findProblem(resolve(schema.$ref), value, path);
  if (inherited !== null) {
    return inherited;
  }
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) {
    const isValid = variants.some((variant) => findProblem(variant, value, path) === null);
    return isValid ? null : `${path} has an unknown form`;
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined && !values.includes(value)) {
    return `${path} is ${JSON.stringify(value)}`;
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (
    types.length > 0 &&
    !types.includes(typeOf(value)) &&
    !(types.includes("number") && typeOf(value) === "integer")
  ) {
    return `${path} is not of type ${types.join(" or ")}`;
  }
  return Array.isArray(value) ? arrayProblem(schema, value, path) : fieldProblem(schema, value, path);
}

function typeOf(value: unknown): string {
  if (value === null || Array.isArray(value)) {
    return value === null ? "null" : "array";
  }
  return Number.isInteger(value) ? "integer" : typeof value;
}

function arrayProblem(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  list: unknown[],
  path: string,
): string | null {
  if (list.length < minItems || list.length > maxItems) {
    return `${path} has ${list.length} items`;
  }
  return items === undefined
    ? null
    : firstProblem(list.entries(), (item, n) => findProblem(items, item, `${path}[${n}]`));
}

function fieldProblem({ properties = {}, required = [] }: Schema, value: unknown, path: string): string | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined) {
    return `${path}.${missing} is missing`;
  }
  const known = Object.entries(properties).filter(([name]) => fields[name] !== undefined);
  return firstProblem(known, (schema, name) => findProblem(schema, fields[name], `${path}.${name}`));
}

function firstProblem<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
  problemOf: (value: Value, key: Key) => string | null,
): string | null {
  for (const [key, value] of entries) {
    const problem = problemOf(value, key);
    if (problem !== null) {
      return problem;
    }
  }
  return null;
}
