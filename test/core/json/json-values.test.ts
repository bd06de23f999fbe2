import { describe, expect, it } from "vitest";
import {
  dateIn,
  firstTextIn,
  isObject,
  listIn,
  numberIn,
  parseObject,
  textIn,
} from "../../../src/core/json/json-values.ts";

describe("values in other people's JSON", () => {
  it("are given where they are of the type asked for, and missing where they are not", () => {
    const value = parseObject('{"name": "a", "count": 2, "list": [1], "at": "2026-03-02T00:00:00Z"}');
    expect(textIn(value, "name")).toBe("a");
    expect(textIn(value, "count")).toBeUndefined();
    expect(numberIn(value, "count")).toBe(2);
    expect(listIn(value, "list")).toEqual([1]);
    expect(listIn(value, "name")).toEqual([]);
    expect(dateIn(value, "at")).toEqual(new Date("2026-03-02T00:00:00Z"));
    expect(dateIn(value, "name")).toBeUndefined();
  });

  it.each(["[1]", "null", '"text"', "{", ""])("has no object in %s", (text) => {
    expect(parseObject(text)).toBeUndefined();
    expect(isObject(undefined)).toBe(false);
  });

  it("finds a text in the first line that has one", () => {
    expect(firstTextIn('no JSON\n{"cwd": 1}\n{"cwd": "/work"}\n{"cwd": "/later"}', "cwd")).toBe("/work");
  });
});
