/** Reports arrive on two channels and are applied in order. */

import { expect, test } from "vitest";
import { type Report, ReportQueue } from "../src/report";

const report = (document: number, number: number): Report => ({ document, number, time: number, events: [] });

test("early reports wait for earlier ones", async () => {
  const applied: number[] = [];
  const reports = new ReportQueue(({ number }) => applied.push(number));
  reports.add(report(1, 0));
  reports.add(report(1, 2));
  const waiting = reports.processed(report(1, 2)).then(() => applied.push(-1));
  expect(applied).toEqual([0]);
  reports.add(report(1, 1));
  await waiting;
  expect(applied).toEqual([0, 1, 2, -1]);
});

test("a new document resets the order, and reports of the old one are ignored", async () => {
  const applied: string[] = [];
  const reports = new ReportQueue(({ document, number }) => applied.push(`${document}.${number}`));
  reports.add(report(1, 0));
  reports.add(report(1, 2));
  const given = reports.processed(report(1, 2));
  reports.add(report(2, 0));
  reports.add(report(1, 1));
  await given;
  reports.add(report(2, 1));
  expect(applied).toEqual(["1.0", "2.0", "2.1"]);
});
