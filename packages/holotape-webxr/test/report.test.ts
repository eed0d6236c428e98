/** Reports from pages come by two ways: they are taken in their order. */

import { expect, test } from "vitest";
import { type Report, ReportQueue } from "../src/report";

const report = (document: number, number: number): Report => ({ document, number, time: number, events: [] });

test("what overtakes others waits for them", async () => {
  const taken: number[] = [];
  const reports = new ReportQueue(({ number }) => taken.push(number));
  reports.add(report(1, 0));
  reports.add(report(1, 2));
  const waiting = reports.processed(report(1, 2)).then(() => taken.push(-1));
  expect(taken).toEqual([0]);
  reports.add(report(1, 1));
  await waiting;
  expect(taken).toEqual([0, 1, 2, -1]);
});

test("a new document begins anew, and the old one has nothing more to say", async () => {
  const taken: string[] = [];
  const reports = new ReportQueue(({ document, number }) => taken.push(`${document}.${number}`));
  reports.add(report(1, 0));
  reports.add(report(1, 2));
  const given = reports.processed(report(1, 2));
  reports.add(report(2, 0));
  reports.add(report(1, 1));
  await given;
  reports.add(report(2, 1));
  expect(taken).toEqual(["1.0", "2.0", "2.1"]);
});
