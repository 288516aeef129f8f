// A program that uploads a file and can be killed. UPLOAD_FILE is the path, UPLOAD_VAULT the vault and its token, and
// UPLOAD_RESUME the folder of interrupted uploads; it prints the bytes that were sent, and the id of the ingot. After
// UPLOAD_KILL_AFTER bytes it kills itself: a signal of another process may come when everything is sent.
import { createClient, upload } from '@vaultsvc/client';
import { FileResumeStore, fileSource } from '@vaultsvc/client/node';
import process from 'node:process';

const {
  VAULTSVC_URL: url = '',
  VAULTSVC_API_KEY: apiKey = '',
  UPLOAD_FILE = '',
  UPLOAD_RESUME = '',
  UPLOAD_KILL_AFTER = 'Infinity',
} = process.env;
const { vaultId, vat } = JSON.parse(process.env.UPLOAD_VAULT ?? '{}') as { vaultId: string; vat: string };

const { ingotId } = await upload(
  { vaultId, client: createClient({ url, apiKey, vat }) },
  await fileSource(UPLOAD_FILE),
  {
    resume: new FileResumeStore(UPLOAD_RESUME),
    onProgress: ({ bytes }) => {
      process.stdout.write(`${bytes}\n`);
      if (bytes > Number(UPLOAD_KILL_AFTER)) process.kill(process.pid, 'SIGKILL');
    },
  },
);
process.stdout.write(`${ingotId}\n`);
