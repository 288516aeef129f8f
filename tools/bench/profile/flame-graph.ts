// Draws folded profiles as flame graphs, in one HTML page without other files.
import type { FoldedProfile, Frame } from './folded-profile.ts';

/** Thinner frames could not be seen, and would be most of the page. */
const SHARE_MIN = 0.0005;

/**
 * @param profiles by the name of the load
 * @returns the page
 */
export function flameGraphPage(title: string, profiles: Record<string, FoldedProfile>): string {
  const sections = Object.entries(profiles).map(([name, { root }]) => {
    const milliseconds = (root.total / 1_000).toFixed(0);
    return `<h2>${escaped(name)}, ${milliseconds} ms of work</h2>\n<div class="graph">${drawn(root, root.total)}</div>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style>
<h1>${escaped(title)}</h1>
<p>The width of a frame is its time with its callees. Click a frame to enlarge it, and the top one to return.</p>
${sections.join('\n')}
<script>${SCRIPT}</script></html>
`;
}

/** A frame and its callees, as nested boxes whose widths are shares of their caller. */
function drawn(frame: Frame, all: number, caller = frame): string {
  const share = `${((100 * frame.total) / all).toFixed(2)} %, itself ${((100 * frame.self) / all).toFixed(2)} %`;
  const callees = [...frame.children.values()]
    .filter(({ total }) => total / all >= SHARE_MIN)
    .toSorted((a, b) => b.total - a.total)
    .map((callee) => drawn(callee, all, frame));
  const width = caller.total === 0 ? 0 : (100 * frame.total) / caller.total;
  const name = escaped(frame.name);
  return `<div class="frame" style="width:${width.toFixed(3)}%"><b style="background:${colorOf(frame.name)}" title="${name}: ${share}">${name}</b><div class="callees">${callees.join('')}</div></div>`;
}

/** Our sources stand out from packages, Node's own modules and native code. */
function colorOf(name: string) {
  if (/ (apps|libs)\//.test(name)) return '#f0a35e';
  if (name.includes(' node_modules/')) return '#f2d46b';
  return name.includes(' node:') ? '#a8cf8e' : '#c9c9c9';
}

function escaped(text: string) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
  body { font: 13px sans-serif; margin: 16px }
  .callees { display: flex; align-items: flex-start }
  .frame { flex: none; overflow: hidden }
  .frame.hidden { display: none }
  .frame.wide { width: 100% !important }
  b { display: block; height: 16px; font: 11px/16px monospace; white-space: nowrap; overflow: hidden;
      box-shadow: inset -1px -1px #fff; cursor: pointer }`;

/** Enlarges the clicked frame and its callers, and hides the siblings of all of them. */
const SCRIPT = `
  addEventListener('click', ({ target }) => {
    const graph = target.closest('.graph');
    if (!graph || target.tagName !== 'B') return;
    for (const frame of graph.querySelectorAll('.frame')) frame.classList.remove('wide', 'hidden');
    for (let frame = target.parentElement; frame !== graph; frame = frame.parentElement.closest('.frame, .graph')) {
      for (const sibling of frame.parentElement.children) if (sibling !== frame) sibling.classList.add('hidden');
      frame.classList.add('wide');
    }
  });`;
