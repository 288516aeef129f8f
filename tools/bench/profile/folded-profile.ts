// A CPU profile as one tree of frames with their times, without idle time.

/** Not work of the service: nothing ran, or nothing but the event loop's wait. */
const IDLE = '(idle)';

/** Times in microseconds. */
export interface Frame {
  name: string;
  self: number;
  total: number;
  children: Map<string, Frame>;
}

export interface FoldedProfile {
  root: Frame;
  idle: number;
}

export interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface Node {
  id: number;
  callFrame: CallFrame;
  children?: number[];
}

/** The part of a CPU profile that is read. */
export interface Profile {
  nodes: Node[];
  samples: number[];
  timeDeltas: number[];
}

/**
 * Adds up the samples. Nodes of the same name and the same caller become one frame.
 * @param profile of the inspector's Profiler.stop
 */
export function foldProfile(
  { nodes, samples, timeDeltas }: Profile,
  nameOf: (frame: CallFrame) => string,
): FoldedProfile {
  const times = timesByNode(samples, timeDeltas);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root = newFrame('all');
  let idle = 0;
  const add = (node: Node, frame: Frame) => {
    frame.self += times.get(node.id) ?? 0;
    for (const child of (node.children ?? []).flatMap((id) => byId.get(id) ?? [])) {
      if (child.callFrame.functionName === IDLE) idle += times.get(child.id) ?? 0;
      else add(child, childOf(frame, nameOf(child.callFrame)));
    }
  };
  for (const node of nodes.slice(0, 1)) add(node, root);
  addTotals(root);
  return { root, idle };
}

/** A sample lasts until the next one; `timeDeltas[i]` is the time before sample i. */
function timesByNode(samples: number[], timeDeltas: number[]) {
  const times = new Map<number, number>();
  samples.forEach((id, i) =>
    times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[i + 1] ?? timeDeltas[i] ?? 0)),
  );
  return times;
}

function newFrame(name: string): Frame {
  return { name, self: 0, total: 0, children: new Map() };
}

function childOf(frame: Frame, name: string): Frame {
  const child = frame.children.get(name) ?? newFrame(name);
  frame.children.set(name, child);
  return child;
}

function addTotals(frame: Frame): number {
  frame.total = frame.self;
  for (const child of frame.children.values()) frame.total += addTotals(child);
  return frame.total;
}

/**
 * The frames with the most time of their own, in whatever call.
 * @returns `share`: of all time that was not idle
 */
export function topFrames(root: Frame, count: number): { name: string; share: number }[] {
  const selfByName = new Map<string, number>();
  const add = ({ name, self, children }: Frame) => {
    selfByName.set(name, (selfByName.get(name) ?? 0) + self);
    for (const child of children.values()) add(child);
  };
  add(root);
  return [...selfByName]
    .filter(([, self]) => self > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, self]) => ({ name, share: self / root.total }));
}
