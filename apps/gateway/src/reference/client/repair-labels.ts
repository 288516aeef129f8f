/**
 * Repairs three faults of the viewer: its "Show more" buttons have labels without these words, so that nobody can choose one by
 * what it shows (WCAG 2.2, 2.5.3); some copy buttons have no name (4.1.2); and lists that scroll take no focus (2.1.1).
 */
export function repairLabels(stage: Element): void {
  const repair = () => {
    for (const button of stage.querySelectorAll('button.show-more[aria-label]'))
      button.removeAttribute('aria-label');
    for (const button of stage.querySelectorAll('button.scalar-code-copy:not([aria-label])'))
      button.setAttribute('aria-label', 'Copy');
    for (const list of stage.querySelectorAll('ul.endpoints:not([tabindex])'))
      list.setAttribute('tabindex', '0');
  };
  new MutationObserver(repair).observe(stage, { childList: true, subtree: true });
}
