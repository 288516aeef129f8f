/**
 * The viewer names its "Show more" buttons by labels without these words, so that nobody can choose one by what it shows
 * (WCAG 2.2, 2.5.3). Without the label, the text is the name.
 */
export function repairLabels(stage: Element): void {
  const repair = () => {
    for (const button of stage.querySelectorAll('button.show-more[aria-label]'))
      button.removeAttribute('aria-label');
  };
  new MutationObserver(repair).observe(stage, { childList: true, subtree: true });
}
