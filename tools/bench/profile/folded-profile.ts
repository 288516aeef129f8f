// @ts-nocheck
// A CPU profile as one tree of frames with their times, without idle time.

/** Not work of the service: nothing ran, or nothing but the event loop's wait. */
const IDLE = '(idle)';

/** Times in microseconds. */
type Frame = { name: string; self: number; total: number; children: Map<string, Frame> };

export type FoldedProfile = { root: Frame; idle: number };

export type CallFrame = { functionName: string; url: string; lineNumber: number };

export type Node = { id: number; callFrame: CallFrame; children?: number[] };

/**
 * Adds up the samples. Nodes of the same name and the same caller become one frame.
 * @param profile of the inspector's Profiler.stop
 */
export function foldProfile(
  { nodes, samples, timeDeltas }: { nodes: Node[]; samples: number[]; timeDeltas: number[] },
  nameOf: (frame: CallFrame) => string,
): FoldedProfile {
  const times = timesByNode(samples, timeDeltas);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root = newFrame('all');
  let idle = 0;
  const add = (node, frame) => {
    frame.self += times.get(node.id) ?? 0;
    for (const child of (node.children ?? []).map((id) => byId.get(id))) {
      if (child.callFrame.functionName === IDLE) idle += times.get(child.id) ?? 0;
      else add(child, childOf(frame, nameOf(child.callFrame)));
    }
  };
  add(nodes[0], root);
  addTotals(root);
  return { root, idle };
}

/** A sample lasts until the next one; `timeDeltas[i]` is the time before sample i. */
function timesByNode(samples, timeDeltas) {
  const times = new Map();
  samples.forEach((id, i) =>
    times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[i + 1] ?? timeDeltas[i])),
  );
  return times;
}

function newFrame(name) {
  return { name, self: 0, total: 0, children: new Map() };
}

function childOf(frame, name) {
  if (!frame.children.has(name)) frame.children.set(name, newFrame(name));
  return frame.children.get(name);
}

function addTotals(frame) {
  frame.total = frame.self;
  for (const child of frame.children.values()) frame.total += addTotals(child);
  return frame.total;
}

/**
 * The frames with the most time of their own, in whatever call.
 * @returns `share`: of all time that was not idle
 */
export function topFrames(root: Frame, count: number): { name: string; share: number }[] {
  const selfByName = new Map();
  const add = ({ name, self, children }) => {
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
