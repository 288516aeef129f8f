import { existsSync, readFileSync, utimesSync } from 'node:fs';
import type { FileRound } from './file-round.js';

const EXISTS = 1;

/** Two downloads of one file to one path, interrupted; parts get other times meanwhile. Then it is complete and right. */
export async function sameFileTwice(round: FileRound): Promise<void> {
  const content = round.content();
  round.vault.store('a.bin', content);
  const path = round.path('got.bin');
  const words = ['download', 'box', 'a.bin', '--out', path];
  round.slowDown();
  for (let runs = 0; runs < 2 && !existsSync(path); runs++) {
    const both = [round.fault(content.length), round.fault(content.length)];
    const ends = await Promise.all(both.map((fault) => round.run(words, fault)));
    if (ends.some(({ code }) => code === 0)) round.expectContent(path, content);
    for (const part of round.user.partsIn(round.folder)) setBack(round.path(part), round.below(1_000_000));
  }
  if (!existsSync(path)) await round.succeed(words);
  round.expectContent(path, content);
}

/** Two links to two files, read to one path; both openers get their file in the end. */
export async function twoLinksOnePath(round: FileRound): Promise<void> {
  const contents = [round.content(), round.content()];
  const links = contents.map((content, index) =>
    round.vault.share(round.vault.store(`${index}.bin`, content)),
  );
  const shared = round.path('got.bin');
  round.slowDown();
  const ends = await Promise.all(
    links.map((link, index) =>
      round.run(['read', link, '--out', shared], round.fault(contents[index]?.length ?? 0)),
    ),
  );
  if (ends.some(({ code }) => code === 0)) round.expectContent(shared, ...contents);
  for (const [index, link] of links.entries()) {
    const isThere = existsSync(shared) && readFileSync(shared).equals(contents[index] as Buffer);
    if (isThere) continue;
    const path = existsSync(shared) ? round.path(`other-${index}.bin`) : shared;
    await readAgain(round, link, path, contents[index] as Buffer);
  }
}

/** The file is replaced by one of the same size, and all URLs end, at a random byte of its download. */
export async function replacedMeanwhile(round: FileRound): Promise<void> {
  const content = round.content();
  const versions = [content];
  round.vault.store('a.bin', content);
  const path = round.path('got.bin');
  const words = ['download', 'box', 'a.bin', '--out', path];
  const at = round.below(content.length);
  round.slowDown((bytes) => {
    if (versions.length > 1 || bytes < at) return;
    versions.push(round.content(content.length));
    round.vault.store('a.bin', versions[1] as Buffer);
    round.vault.endUrls();
  });
  let isCut = false;
  const slow = round.vault.faults.onSent;
  round.vault.faults.onSent = async (bytes) => {
    await slow?.(bytes);
    if (isCut || versions.length < 2) return undefined;
    isCut = true;
    return 'cut';
  };
  const { code } = await round.run(words, round.fault(content.length));
  if (code !== 0) {
    // Killed before the replacement, the last run must not meet it.
    delete round.vault.faults.onSent;
    if (!isComplete(round, path)) await round.succeed(words);
  }
  round.expectContent(path, ...versions);
  round.expectNoParts();
}

/** A file of the user appears under the target's name at a random byte; others are called .part. */
export async function targetAppears(round: FileRound): Promise<void> {
  const content = round.content();
  round.vault.store('a.bin', content);
  const path = round.path('got.bin');
  const checks = [round.userFile('got.bin.part'), round.userFile('.got.bin.part')];
  const at = round.below(content.length);
  let isThere = false;
  round.slowDown((bytes) => {
    if (isThere || bytes < at) return;
    isThere = true;
    if (!existsSync(path)) checks.push(round.userFile('got.bin'));
  });
  const words = ['download', 'box', 'a.bin', '--out', path];
  const { code, stderr } = await round.run(words, round.fault(content.length));
  const [, kept] = /The content is in (\S+)\./.exec(stderr) ?? [];
  if (code === 0) round.expectContent(path, content);
  if (kept !== undefined) round.expectContent(kept, content);
  if (existsSync(path) && code !== 0) await secondDownload(round, words, content);
  if (kept !== undefined) round.expectContent(kept, content);
  for (const check of checks) check();
}

/** A link that opens once, read to a target that cannot be written: it is not opened, or gone on with. */
export async function linkWithoutTarget(round: FileRound): Promise<void> {
  const content = round.content();
  const link = round.vault.share(round.vault.store('a.bin', content));
  const code = link.split('/').at(-1) ?? '';
  const checks = [round.userFile('taken')];
  const path = round.path('got.bin');
  round.slowDown();
  for (const out of [round.path('taken'), round.path('none/got.bin')]) {
    const end = await round.run(['read', link, '--out', out]);
    if (end.code !== 1 || round.vault.links.get(code)?.isConsumed)
      round.violate(`the link is spent for ${out}`);
  }
  const fileBytesMax = 16_384 + round.below(content.length - 16_384);
  const full = await round.run(['read', link, '--out', path], { fileBytesMax });
  if (full.code === 0) round.violate('a full disk is exit 0');
  await round.run(['read', link, '--out', path], round.fault(content.length));
  if (!isComplete(round, path)) await readAgain(round, link, path, content);
  round.expectContent(path, content);
  round.expectNoParts();
  for (const check of checks) check();
}

/** The command is killed when the server has consumed its link, and has not answered yet. */
export async function killedWhileOpening(round: FileRound): Promise<void> {
  const content = round.content();
  const link = round.vault.share(round.vault.store('a.bin', content));
  let kill = () => {};
  round.vault.faults.onOpened = async () => {
    kill();
    await new Promise((resolve) => setTimeout(resolve, round.below(300)));
  };
  const path = round.path('got.bin');
  const { code } = await round.run(['read', link, '--out', path], { onStart: (stop) => (kill = stop) });
  delete round.vault.faults.onOpened;
  if (code !== null) round.violate('the command was not killed');
  await readAgain(round, link, path, content);
  round.expectNoParts();
}

/** A command that is killed just after it gave the file its name leaves the part, too; the same command removes it. */
function isComplete(round: FileRound, path: string): boolean {
  return existsSync(path) && round.user.partsIn(round.folder).length === 0;
}

/** It says that the target exists; only if the first was killed just after it gave the file its name, it ends that download. */
async function secondDownload(round: FileRound, words: readonly string[], content: Buffer): Promise<void> {
  const [path] = words.slice(-1) as [string];
  const before = readFileSync(path);
  const { code } = await round.run(words);
  if (code !== EXISTS && !(code === 0 && before.equals(content)))
    round.violate('a second download does not say that the target exists');
  round.expectContent(path, before);
}

/** The same command again, whose link may be opened already, also if it was killed in this moment. */
async function readAgain(round: FileRound, link: string, path: string, content: Buffer): Promise<void> {
  await round.succeed(['read', link, '--out', path]);
  round.expectContent(path, content);
}

/** A clock that was set back: the part seems older than its download. */
function setBack(path: string, seconds: number): void {
  const time = Date.now() / 1_000 - seconds;
  if (existsSync(path)) utimesSync(path, time, time);
}
