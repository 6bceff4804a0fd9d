import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { get, onOldToken, post, setCsrf } from "../src/lib/api";

let sent: { method: string; path: string; token: string | undefined; body: unknown }[] = [];

beforeEach(() => {
  sent = [];
  setCsrf("old", "ann");
  vi.stubGlobal("fetch", (path: string, { method, headers, body }: { method: string; headers: Record<string, string>; body?: string }) => {
    const token = headers["X-CSRF-Token"];
    sent.push({ method, path, token, body: body && JSON.parse(body) });
    const known = method === "GET" || token === "new";
    return Promise.resolve(known ? Response.json({ done: true }) : Response.json({ status: 403, code: "csrf" }, { status: 403 }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  setCsrf("");
  onOldToken(() => Promise.resolve(false));
});

test("a request with an old token is repeated once with the new one, for the same person", async () => {
  onOldToken(() => Promise.resolve((setCsrf("new", "ann"), true)));
  expect(await post("/api/x", { amount: 1 })).toEqual({ done: true });
  expect(sent).toEqual(["old", "new"].map((token) => ({ method: "POST", path: "/api/x", token, body: { amount: 1 } })));
});

test("what still has an old token then is refused", async () => {
  const renew = vi.fn(() => Promise.resolve(true));
  onOldToken(renew);
  await expect(post("/api/x")).rejects.toMatchObject({ status: 403, code: "csrf" });
  expect([sent.length, renew.mock.calls.length]).toEqual([2, 1]);
});

test("nothing is repeated for somebody else, not even where they are known before the refusal arrives", async () => {
  onOldToken(() => Promise.resolve((setCsrf("new", "bob"), true)));
  await expect(post("/api/x")).rejects.toMatchObject({ code: "csrf" });
  setCsrf("old", "ann");
  const late = post("/api/x");
  setCsrf("new", "bob");
  await expect(late).rejects.toMatchObject({ code: "csrf" });
  expect(sent).toHaveLength(2);
});

test("nothing is repeated where the house does not say who is signed in", async () => {
  onOldToken(() => Promise.resolve(false));
  await expect(post("/api/x")).rejects.toMatchObject({ code: "csrf" });
  expect(sent).toHaveLength(1);
});

test("no other refusal asks who is signed in", async () => {
  const renew = vi.fn(() => Promise.resolve(true));
  onOldToken(renew);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ code: "not-allowed" }, { status: 403 })));
  await expect(post("/api/x")).rejects.toMatchObject({ code: "not-allowed" });
  await expect(get("/api/x")).rejects.toMatchObject({ code: "not-allowed" });
  expect(renew).not.toHaveBeenCalled();
});
