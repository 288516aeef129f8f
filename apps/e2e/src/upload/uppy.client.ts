// @ts-nocheck
// A page that uploads one file with Uppy. It stores the forge_url of each file, by which Uppy resumes the upload after a
// reload.
/* global document, localStorage */
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

const CHUNK_BYTES = 52_428_800;
const field = document.getElementById('file');
const shown = document.getElementById('state');

const keyOf = ({ name, size, lastModified }) => `forge_url ${name} ${size} ${lastModified}`;

/** Requests the forge_url from the page's server, which has the credentials; the page itself never receives them. */
async function forgeUrlOf(file) {
  const kept = localStorage.getItem(keyOf(file));
  if (kept) return kept;
  const answer = await fetch('/forge-url', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: file.name, bytes: file.size }),
  });
  const { forge_url } = await answer.json();
  localStorage.setItem(keyOf(file), forge_url);
  return forge_url;
}

async function upload(file) {
  const uppy = new Uppy({ autoProceed: false });
  uppy.use(Tus, {
    endpoint: await forgeUrlOf(file),
    chunkSize: CHUNK_BYTES,
    retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 20_000, 21_000],
    removeFingerprintOnSuccess: true,
  });
  uppy.on('upload-progress', (_file, { bytesUploaded }) => (shown.dataset.bytes = bytesUploaded));
  uppy.addFile({ name: file.name, type: file.type, data: file });
  const { successful, failed } = await uppy.upload();
  if (failed.length > 0) return `failed: ${failed[0].error}`;
  localStorage.removeItem(keyOf(file));
  return `complete: ${successful.length}`;
}

field.addEventListener('change', async () => {
  const [file] = field.files;
  shown.textContent = 'uploading';
  shown.textContent = await upload(file).catch((error) => `failed: ${error.message}`);
});
