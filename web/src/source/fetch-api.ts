/** Requests to the server that sent the page. */

import { validate } from "../validate";

export class FileExistsError extends Error {}

/** Requests a path of the API. Throws the server's message if it refuses. */
export async function fetchApi(path: string, request?: RequestInit): Promise<Response> {
  // Absolute: a worker has no base address.
  const response = await fetch(`${self.location.origin}/api/${path}`, request).catch(unreachable);
  if (response.ok) {
    return response;
  }
  const fallback = { message: `request failed with status ${response.status}` };
  const { message } = await response
    .json()
    .then((body) => validate("ApiError", body))
    .catch(() => fallback);
  throw response.status === 409 ? new FileExistsError(message) : new Error(message);
}

export function unreachable(): never {
  throw new Error("server not reachable: check that holotape is still running");
}
