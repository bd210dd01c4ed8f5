import { expect, test } from "vitest";
import { parseMounts } from "./network-mount.ts";
import { HungError, ReadGate } from "./read-gate.ts";

const never = () => new Promise<never>(() => {});

test("many callers at one path that does not answer leave room for others", async () => {
  const gate = new ReadGate({ deadlineMs: 20 });
  const asked: string[] = [];
  const hang = (path: string) =>
    gate.run(path, () => {
      asked.push(path);
      return never();
    });
  const callers = Array.from({ length: 5 }, () => hang("/disk"));
  for (const caller of callers) await expect(caller).rejects.toThrow(HungError);
  await expect(hang("/disk")).rejects.toThrow("/disk cannot be read: a file system does not answer.");
  await expect(hang("/disk/below")).rejects.toThrow(HungError);
  expect(asked).toEqual(["/disk"]);
  expect(await gate.run("/disk-of-another", async () => "answer")).toBe("answer");
});

test("a path that answers at last can be asked again", async () => {
  const gate = new ReadGate({ deadlineMs: 20 });
  const { promise, resolve } = Promise.withResolvers<string>();
  await expect(gate.run("/disk", () => promise)).rejects.toThrow(HungError);
  resolve("late");
  await promise;
  expect(await gate.run("/disk", async () => "answer")).toBe("answer");
});

test("callers at one path come one after the other, and an error of one is not that of the next", async () => {
  const gate = new ReadGate();
  const order: string[] = [];
  const first = gate.run("/file", async () => {
    order.push("first begins");
    await Promise.resolve();
    order.push("first ends");
    throw new Error("first");
  });
  const second = gate.run("/file", async () => order.push("second"));
  await expect(first).rejects.toThrow("first");
  await second;
  expect(order).toEqual(["first begins", "first ends", "second"]);
});

test("two paths on one mount that does not answer take one thread, and other mounts answer", async () => {
  const findMount = (path: string) => /^\/(?:nfs|fuse)/.exec(path)?.[0];
  const gate = new ReadGate({ deadlineMs: 20, findMount });
  const asked: string[] = [];
  const hang = (path: string) =>
    gate.run(path, () => {
      asked.push(path);
      return never();
    });
  const [first, second] = [hang("/nfs/a"), hang("/nfs/b")];
  await expect(first).rejects.toThrow("/nfs/a cannot be read: a file system does not answer. Check");
  await expect(second).rejects.toThrow("/nfs/b cannot be read: a file system does not answer at /nfs/a.");
  expect(asked).toEqual(["/nfs/a"]);
  expect(await gate.run("/home/me", async () => "answer")).toBe("answer");
  expect(await gate.run("/fuse/a", async () => "answer")).toBe("answer");

  await expect(hang("/fuse/a")).rejects.toThrow(HungError);
  await expect(gate.run("/home/me", async () => "answer")).rejects.toThrow("at /nfs/a and /fuse/a.");
});

test("mounts of network disks are known, also with a space in their names", () => {
  const text = [
    "22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw",
    "23 1 0:50 / / rw - 9p root rw",
    "40 22 0:41 / /mnt/nfs rw,relatime shared:2 master:1 - nfs4 server:/x rw",
    "41 40 0:42 / /mnt/nfs/my\\040disk rw - fuse.sshfs me@host:/ rw",
    "42 22 8:2 / /home rw - xfs /dev/sdb rw",
    "",
  ];
  expect(parseMounts(text.join("\n"))).toEqual(["/mnt/nfs/my disk", "/mnt/nfs"]);
});
