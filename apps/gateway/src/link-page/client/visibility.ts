/** Resolves once the page is visible: a prerendered page, or one in the background, opens nothing. */
export function whenVisible(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (isPrerendering() || document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', check);
      document.removeEventListener('prerenderingchange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    document.addEventListener('prerenderingchange', check);
    check();
  });
}

/** Undefined, so false, in browsers without prerendering. */
function isPrerendering(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}
