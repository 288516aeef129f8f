// Reloads the page after changes. The page works without it.
const shown = document.documentElement.dataset.version;
const search = document.getElementById('search');
const focused = 'inbox.focused';

// A reload would leave people who use a keyboard at the top of the page.
document.getElementById(sessionStorage.getItem(focused) ?? '')?.focus();
sessionStorage.removeItem(focused);

setInterval(() => void reloadAfterChange(), 2000);

async function reloadAfterChange() {
  if (document.visibilityState !== 'visible' || isTyping()) return;
  try {
    const response = await fetch('/version');
    if ((await response.text()) === shown) return;
    sessionStorage.setItem(focused, document.activeElement?.id ?? '');
    location.reload();
  } catch {
    // The stack is stopped or restarting; the next poll shows which.
  }
}

function isTyping() {
  if (!(search instanceof HTMLInputElement)) return false;
  return document.activeElement === search && search.value !== search.defaultValue;
}
