import type { Page } from 'playwright-core';

export interface Legibility {
  /** CSS pixels by which the page is wider than the screen; 0 when it fits. */
  readonly overflow: number;
  /** The lowest contrast of a visible text and its background; WCAG 2.2 (1.4.3) requires 4.5. */
  readonly contrast: number;
}

/** Runs in the page: text nodes, their colour, and the nearest background that is not transparent. */
const MEASURE = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const ground = (element) => {
    const color = channels(getComputedStyle(element).backgroundColor);
    return color[3] === 0 && element.parentElement ? ground(element.parentElement) : color;
  };
  const ratio = (element) => {
    const [low, high] = [getComputedStyle(element).color, null]
      .map((color) => luminance(color ? channels(color) : ground(element)))
      .sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const shown = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility() && hasText(one));
  const { scrollWidth } = document.documentElement;
  return { overflow: Math.max(0, scrollWidth - innerWidth), contrast: Math.min(...shown.map(ratio)) };
})()`;

/** Measures whether a page fits its screen and is legible. */
export function measureLegibility(page: Page): Promise<Legibility> {
  return page.evaluate<Legibility>(MEASURE);
}
