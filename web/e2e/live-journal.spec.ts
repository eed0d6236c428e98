/** The command that recovers a journal. */

import { expect, test } from "@playwright/test";
import { journalName, recoverCommand } from "../src/live/journal";

test("the journal has the name of the take", () => {
  expect(journalName("left hand.v2.bin")).toBe("left hand.v2.journal");
  expect(journalName(null)).toBe("NAME.journal");
});

test("the command to recover a journal is quoted for the system of the server", () => {
  for (const [folder, journal, path] of [
    ["/data/p01-a_b+c", "take.journal", "/data/p01-a_b+c/take.journal"],
    ["/", "take.journal", "/take.journal"],
    ["/data", "left hand.journal", "'/data/left hand.journal'"],
    ["/data/$(id)", "it's.journal", "'/data/$(id)/it'\\''s.journal'"],
    ["/data", "it’s “a”.journal", "'/data/it’s “a”.journal'"],
    [String.raw`C:\takes`, "take.journal", String.raw`C:\takes\take.journal`],
    ["C:\\", "take.journal", String.raw`C:\take.journal`],
    [String.raw`C:\takes`, "left hand.journal", String.raw`"C:\takes\left hand.journal"`],
    [String.raw`\\host\share`, "it’s.journal", String.raw`"\\host\share\it’s.journal"`],
    [String.raw`C:\takes`, "$(calc).journal", String.raw`'C:\takes\$(calc).journal'`],
    [String.raw`C:\takes`, "“a”.journal", String.raw`'C:\takes\“a”.journal'`],
    [String.raw`C:\it's`, "„it’s ‘$‚‛.journal", String.raw`'C:\it''s\„it’’s ‘‘$‚‚‛‛.journal'`],
    [null, "left hand.journal", "'left hand.journal'"],
  ] as const) {
    expect(recoverCommand(folder, journal, "part.bin")).toBe(`holotape repair ${path} part.bin`);
  }
});
