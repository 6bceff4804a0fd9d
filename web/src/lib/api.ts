// Requests to the house over HTTP: JSON both ways, the token against forged requests, problems thrown as errors.

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly paragraph: string | null,
    /** The facts behind the sentence: a box, a bet, how much a limit still allows. */
    readonly facts: Record<string, string | number> = {},
  ) {
    super(detail);
  }
}

interface ProblemBody {
  status?: number;
  code?: string;
  title?: string;
  detail?: string;
  paragraph?: string | null;
  facts?: Record<string, string | number>;
}

/** A problem as the house writes it, from HTTP or from the socket. */
export function problem(body: ProblemBody, status = 0): Problem {
  return new Problem(body.status ?? status, body.code ?? "unknown", body.detail ?? body.title ?? "", body.paragraph ?? null, body.facts);
}

/** The code of a request whose token is not that of the session. */
export const OLD_TOKEN = "csrf";

let token = "";
/** Whose session it is; empty for nobody's. */
let holder = "";

/** The session's token. Every request that changes something carries it. */
export function csrf(): string {
  return token;
}

export function setCsrf(value: string, name = ""): void {
  token = value;
  holder = name;
}

/** Asks for the token of the session that is there now. Says whether the house has answered. */
export let renewToken = (): Promise<boolean> => Promise.resolve(false);

export function onOldToken(renew: () => Promise<boolean>): void {
  renewToken = renew;
}

/** One request. If the house says that the token is another session's, nothing was carried out. If the same person has
 * signed in again, in another tab, the request is repeated once with the new token. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const person = holder;
  try {
    return await askOnce<T>(method, path, body);
  } catch (error) {
    if ((error as Problem).code !== OLD_TOKEN || !(await renewToken()) || !person || holder !== person) throw error;
    return askOnce<T>(method, path, body);
  }
}

async function askOnce<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && token) headers["X-CSRF-Token"] = token;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, "no-connection", "", null);
  }
  const text = await answer.text();
  let read: unknown = null;
  try {
    read = text ? JSON.parse(text) : null;
  } catch {
    throw new Problem(answer.status, "unreadable", text.slice(0, 200), null);
  }
  if (!answer.ok) throw problem((read ?? {}) as ProblemBody, answer.status);
  return read as T;
}

export const get = <T>(path: string): Promise<T> => ask<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>("POST", path, body);
export const put = <T>(path: string, body: unknown): Promise<T> => ask<T>("PUT", path, body);
export const remove = <T>(path: string): Promise<T> => ask<T>("DELETE", path);

/** A key for a request. The house carries out a key once, however often it is sent. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
