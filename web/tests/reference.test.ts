import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { editionOf } from "../src/lib/reference.svelte";

let answers: (() => Promise<Response>)[] = [];
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  vi.stubGlobal("fetch", () => {
    asked += 1;
    return answers.shift()!();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an edition that could not be fetched counts as failed until it has come", async () => {
  let arrive: (answer: Response) => void = () => undefined;
  answers = [() => Promise.reject(new TypeError()), () => new Promise((done) => (arrive = done))];
  expect(editionOf("lost/1").failed).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
  expect([editionOf("lost/1").failed !== null, asked]).toEqual([true, 1]);
  await vi.advanceTimersByTimeAsync(6_000);
  expect([editionOf("lost/1").failed !== null, asked], "asked again, and not answered yet").toEqual([true, 2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([editionOf("lost/1").failed !== null, asked], "one question at a time").toEqual([true, 2]);
  arrive(new Response('{"title":"Found"}'));
  await vi.advanceTimersByTimeAsync(0);
  expect([editionOf("lost/1").value?.title, editionOf("lost/1").failed, asked]).toEqual(["Found", null, 2]);
});
