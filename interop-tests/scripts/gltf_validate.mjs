// Prints all issues that the Khronos validator finds in glTF files.
import { readFileSync } from "node:fs";
import { validateBytes } from "gltf-validator";

const reports = [];
for (const path of process.argv.slice(2)) {
  const report = await validateBytes(new Uint8Array(readFileSync(path)), { uri: path, maxIssues: 100 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  const { animationCount, drawCallCount } = report.info;
  reports.push({ path, numErrors, numWarnings, numInfos, numHints, messages, animationCount, drawCallCount });
}
console.log(JSON.stringify(reports));
