import type { Page } from 'playwright-core';

/** Numbers what the Tab key has to reach; of a group of radio buttons it reaches one. */
const NUMBER = `(() => {
  const isReached = (element) =>
    element.tabIndex >= 0 && !element.disabled && !element.closest('[inert], [aria-hidden=true]') &&
    element.checkVisibility({ visibilityProperty: true });
  const found = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(isReached);
  const isOfGroup = (element) => element.type === 'radio' && element.name !== '';
  const heads = found.filter((element) => {
    if (!isOfGroup(element)) return true;
    const group = found.filter((other) => isOfGroup(other) && other.name === element.name);
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  });
  globalThis.tabStops = heads;
  document.activeElement.blur();
  return heads.map((element) => element.getAttribute('aria-label') || element.textContent.trim().slice(0, 40) || element.id || element.tagName);
})()`;

/** The number of the element that has the focus, and whether it can be seen that it has it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const marks = [element, element.parentElement, element.closest('label')].filter(Boolean).map((one) => getComputedStyle(one));
  return {
    stop: globalThis.tabStops.indexOf(element),
    isSeen: marks.some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none'),
  };
})()`;

/** The elements of a page that fail a person with a keyboard alone. */
export interface TabOrder {
  /** Elements that the Tab key does not reach. */
  readonly unreached: readonly string[];
  /** Elements that have the focus without looking so. */
  readonly unseen: readonly string[];
}

/** Goes through the whole page with the Tab key. */
export async function tabOrder(page: Page): Promise<TabOrder> {
  const names = await page.evaluate<string[]>(NUMBER);
  const [reached, seen] = [new Set<number>(), new Set<number>()];
  // Twice: the first turn begins where the page had put the focus.
  for (let press = 0; press < 2 * names.length + 4 && reached.size < names.length; press += 1) {
    await page.keyboard.press('Tab');
    const { stop, isSeen } = await page.evaluate<{ stop: number; isSeen: boolean }>(FOCUSED);
    reached.add(stop);
    reached.delete(-1);
    if (isSeen) seen.add(stop);
  }
  return {
    unreached: names.filter((_, stop) => !reached.has(stop)),
    unseen: names.filter((_, stop) => reached.has(stop) && !seen.has(stop)),
  };
}
