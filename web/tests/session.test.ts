import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { csrf, onOldToken, post, setCsrf } from "../src/lib/api";
import { Session } from "../src/lib/session.svelte";
import type { Me } from "../src/lib/shapes";

const person = (name: string, token: string): Me => ({ name, csrf: token, role: "patron", wallet: "0.00", desks: [], asks: [], guest: false }) as unknown as Me;
const ANN = person("ann", "token-1");

/** Who is signed in by the cookie; "down": the house does not answer. */
let cookie: Me | null | "down";
let sent: string[];
let kept: Record<string, string>;
let another: (event: { key: string; newValue: string | null }) => void;
let session: Session;

beforeEach(() => {
  vi.useFakeTimers();
  cookie = ANN;
  sent = [];
  kept = {};
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, value: string) => (kept[key] = value) });
  vi.stubGlobal("addEventListener", (_: string, listener: typeof another) => (another = listener));
  vi.stubGlobal("fetch", (path: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
    sent.push(`${method} ${path}`);
    if (cookie === "down") return Promise.reject(new TypeError("no line"));
    if (method === "GET") return Promise.resolve(Response.json(cookie));
    if (path === "/api/guests") return Promise.resolve(Response.json((cookie = person("guest-1", "token-g"))));
    const known = headers["X-CSRF-Token"] === cookie?.csrf;
    return Promise.resolve(known ? Response.json({}) : Response.json({ code: "csrf" }, { status: 403 }));
  });
  session = new Session();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  setCsrf("");
  onOldToken(() => Promise.resolve(false));
});

describe("who is signed in", () => {
  test("is asked once", async () => {
    await Promise.all([session.known(), session.known()]);
    expect(await session.known()).toEqual(ANN);
    expect(sent).toEqual(["GET /api/sessions/current"]);
  });

  test("is asked again after a while where the house did not answer, until it does", async () => {
    cookie = "down";
    await expect(session.known()).rejects.toMatchObject({ code: "no-connection" });
    expect(session.me).toBeUndefined();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.length).toBeLessThan(8);
    cookie = ANN;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.me).toEqual(ANN);
    expect(await session.known()).toEqual(ANN);
    const asked = sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(asked);
  });

  test("is asked at once by whoever needs it after a failure", async () => {
    cookie = "down";
    await expect(session.known()).rejects.toMatchObject({ code: "no-connection" });
    cookie = ANN;
    expect(await session.known()).toEqual(ANN);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(2);
  });

  test.each<[string, Me, string | null, number]>([
    ["signed out", ANN, "?", 1],
    ["in as another", ANN, "bob", 1],
    ["seen as the same", ANN, "ann", 0],
  ])("%s in another tab: this tab follows", async (_, before, newValue, asks) => {
    cookie = before;
    await session.known();
    another({ key: "punto.who", newValue });
    expect(sent).toHaveLength(1 + asks);
  });
});

describe("another session", () => {
  test("is counted: the same person anew, another one, nobody; not what a wallet or the first answer changes", async () => {
    const seen: [Me | null, number][] = [
      [ANN, 0],
      [{ ...ANN, wallet: "5.00" }, 0],
      [person("ann", "token-2"), 1],
      [person("bob", "token-3"), 2],
      [null, 3],
      [null, 3],
      [person("bob", "token-4"), 4],
    ];
    for (const [who, changes] of seen) {
      cookie = who;
      await session.refresh();
      expect(session.changes, JSON.stringify(who)).toBe(changes);
    }
  });

  test("of the same person gives its token to a request that has an old one", async () => {
    await session.known();
    cookie = person("ann", "token-2");
    await post("/api/acts");
    expect(sent).toEqual(["GET /api/sessions/current", "POST /api/acts", "GET /api/sessions/current", "POST /api/acts"]);
    expect(csrf()).toBe("token-2");
  });

  test("of somebody else does not carry out what the person before asked for", async () => {
    await session.known();
    cookie = person("bob", "token-2");
    await expect(post("/api/acts")).rejects.toMatchObject({ code: "csrf" });
    expect(sent.filter((request) => request === "POST /api/acts")).toHaveLength(1);
    expect(session.me?.name).toBe("bob");
  });
});

describe("a guest", () => {
  test("enters where nobody is signed in", async () => {
    cookie = null;
    expect((await session.enterAsGuest()).name).toBe("guest-1");
  });

  test("does not take the place of somebody who is signed in and not known yet", async () => {
    expect(await session.enterAsGuest()).toEqual(ANN);
    expect(sent).toEqual(["GET /api/sessions/current"]);
  });

  test("does not enter while nobody can say who is signed in", async () => {
    cookie = "down";
    await expect(session.enterAsGuest()).rejects.toMatchObject({ code: "no-connection" });
    expect(sent).toEqual(["GET /api/sessions/current"]);
  });
});
