import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { clientAddressReader, clientNetwork } from "../app/server/http/client-address.ts";
import { newPostCounter } from "../app/server/http/rate-limit.ts";

const minute = 60_000;

test("a client may send as many posts as the limit says in ten minutes after its first", () => {
  let time = 0;
  const count = newPostCounter(2, () => time);
  for (const [at, client, secondsToWait] of [
    [0, "a", undefined],
    [1 * minute, "a", undefined],
    [2 * minute, "a", 480],
    [2 * minute, "b", undefined],
    [10 * minute - 1, "a", 1],
    [10 * minute, "a", undefined],
    [11 * minute, "b", undefined],
    [12 * minute, "b", undefined],
    [13 * minute, "b", undefined],
    [14 * minute, "b", 480],
  ] as const) {
    time = at;
    assert.equal(count(client), secondsToWait, `${client} at ${at / minute} minutes`);
  }
});

test("a limit of 0 posts is no limit", () => {
  const count = newPostCounter(0, () => 0);
  for (let post = 0; post < 100; post += 1) assert.equal(count("a"), undefined);
});

test("the first of too many clients are forgotten first", () => {
  const count = newPostCounter(1, () => 0);
  count("first");
  for (let client = 0; client < 99_990; client += 1) count(`${client}`);
  assert.equal(count("first"), 600);
  for (let client = 0; client < 20; client += 1) count(`new ${client}`);
  assert.equal(count("first"), undefined);
  assert.equal(count("new 19"), 600);
});

test("the client's address is the last forwarded one that is not a trusted proxy", () => {
  const addressOf = clientAddressReader(["10.0.0.0/8", "::1"]);
  for (const [peer, headers, address] of [
    ["192.0.2.1", {}, "192.0.2.1"],
    ["10.0.0.1", {}, "10.0.0.1"],
    ["10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
    ["::ffff:10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
    ["::1", { "x-forwarded-for": "198.51.100.7, 192.0.2.1 , 10.0.0.2" }, "192.0.2.1"],
    ["::1", { "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, "10.0.0.3"],
    ["::1", { "x-forwarded-for": "2001:db8::1" }, "2001:db8::1"],
    ["::1", { "x-forwarded-for": "nonsense, 10.0.0.2" }, "nonsense"],
    ["::1", { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.9" }, "192.0.2.1"],
    ["::1", { forwarded: "for=192.0.2.9" }, undefined],
    ["192.0.2.1", { "x-forwarded-for": "10.0.0.1" }, undefined],
    ["192.0.2.1", { forwarded: "for=10.0.0.1" }, undefined],
    [undefined, { "x-forwarded-for": "10.0.0.1" }, undefined],
  ] as const) {
    const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
    assert.equal(addressOf(request), address, `${peer} ${JSON.stringify(headers)}`);
  }
});

test("addresses of one IPv6 /64 are one client", () => {
  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::"],
    ["fe80::1%eth0", "fe80::"],
    ["::1", "::"],
    ["nonsense", undefined],
    ["", undefined],
  ] as const) {
    assert.equal(clientNetwork(address), network, address);
  }
});
