import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen } from "../../src/watch/listen";

interface Socket {
  address: string;
  onmessage: (message: { data: string }) => void;
  onclose: ((event: { code: number }) => void) | null;
}

let sockets: Socket[] = [];
const news = vi.fn();
const ended = vi.fn();

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
  vi.stubGlobal("location", { origin: "https://house.example" });
  vi.stubGlobal("WebSocket", function (this: object, address: string) {
    sockets.push(this as Socket);
    Object.assign(this, { address, close: () => undefined });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test("news of the watch are told, pings are not", () => {
  const stop = listen(news, ended);
  expect(sockets[0]!.address).toBe("wss://house.example/api/watch/live");
  sockets[0]!.onmessage({ data: '{"frame":"ping"}' });
  expect(news).not.toHaveBeenCalled();
  sockets[0]!.onmessage({ data: '{"frame":"watch"}' });
  expect(news).toHaveBeenCalledOnce();
  stop();
});

test("a lost socket is opened again", () => {
  const stop = listen(news, ended);
  sockets[0]!.onclose!({ code: 1006 });
  vi.runAllTimers();
  expect(sockets).toHaveLength(2);
  expect(ended).not.toHaveBeenCalled();
  stop();
});

test.each([4401, 4403])("whoever the house ends the socket for (%i) is told, and opens no other", (code) => {
  const stop = listen(news, ended);
  ended.mockImplementationOnce(() => stop());
  sockets[0]!.onclose!({ code });
  vi.runAllTimers();
  expect(ended).toHaveBeenCalledOnce();
  expect(sockets).toHaveLength(1);
});

test("whoever is still signed in then listens again, after a pause", () => {
  const stop = listen(news, ended);
  sockets[0]!.onclose!({ code: 4401 });
  expect(sockets).toHaveLength(1);
  vi.runAllTimers();
  expect(sockets).toHaveLength(2);
  stop();
});

test("nobody who has left opens a socket", () => {
  const stop = listen(news, ended);
  sockets[0]!.onclose!({ code: 1006 });
  stop();
  vi.runAllTimers();
  expect(sockets).toHaveLength(1);
});
