/** The journal of a take on the server, and the command that recovers it. */

import { stemOf } from "../files";

/** The journal of a take: `grasping.journal` for `grasping.bin`. */
export function journalName(name: string | null): string {
  return name === null ? "NAME.journal" : `${stemOf(name)}.journal`;
}

/**
 * The command that recovers a journal on the server into a file. It has the whole path, which also shows for which system to quote: the page
 * can be on another one.
 */
export function recoverCommand(folder: string | null, journal: string, out: string): string {
  return `holotape repair ${shellQuote(pathIn(folder, journal))} ${out}`;
}

const WINDOWS_PATH = /^[A-Za-z]:\\|^\\\\/;

function pathIn(folder: string | null, name: string): string {
  if (folder === null) {
    return name;
  }
  const separator = WINDOWS_PATH.test(folder) ? "\\" : "/";
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/**
 * Quotes a path for the shell of its system, by the rules of `shell_quote` in `crates/holotape/src/paths.rs`: with single quotes, except for
 * Windows paths, because its older shell supports only double quotes. PowerShell treats typographic quotes like the plain ones.
 */
function shellQuote(path: string): string {
  const isWindows = WINDOWS_PATH.test(path);
  if ((isWindows ? /^[\w./+:\\-]+$/ : /^[\w./+-]+$/).test(path)) {
    return path;
  }
  if (!isWindows) {
    return `'${path.replaceAll("'", "'\\''")}'`;
  }
  return /["“”„$`%]/.test(path) ? `'${path.replaceAll(/['‘’‚‛]/g, "$&$&")}'` : `"${path}"`;
}
