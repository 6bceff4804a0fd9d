import { describe, expect, it } from "vitest";
import { match } from "../src/routes/router.svelte";

describe("addresses", () => {
  it("reads the values of a pattern", () => {
    expect(match("/tables/:id/board", "/tables/a%20b/board")).toEqual({ id: "a b" });
    expect(match("/", "/")).toEqual({});
  });

  it("fits no pattern where a piece is missing, another, or malformed", () => {
    expect(match("/tables/:id", "/tables")).toBeNull();
    expect(match("/odds", "/rules")).toBeNull();
    expect(match("/tables/:id", "/tables/%E0%A4%A")).toBeNull();
  });
});
