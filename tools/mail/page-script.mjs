// Reloads the page after changes, and deletes messages. The page works without it.
/* global document, location */
const shown = document.documentElement.dataset.version;
const clear = document.getElementById('clear');

clear.hidden = false;
clear.addEventListener('click', async () => {
  await fetch('/messages/all', { method: 'DELETE' });
  location.assign('/');
});

setInterval(async () => {
  if (document.visibilityState !== 'visible') return;
  try {
    const response = await fetch('/version');
    if ((await response.text()) !== shown) location.reload();
  } catch {
    // The stack is stopped or restarting; the next poll shows which.
  }
}, 2000);
