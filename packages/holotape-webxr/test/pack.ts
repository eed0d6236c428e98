/** Packs the built package. */

import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the package. */
export const HERE = fileURLToPath(new URL("..", import.meta.url));

/** Writes the tarball that npm publishes into a folder. Returns its path. */
export function pack(folder: string): string {
  const npm = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(
    execFileSync("npm", npm, { cwd: HERE, stdio: ["ignore", "pipe", "ignore"] }).toString(),
  );
  return path.join(folder, filename);
}
