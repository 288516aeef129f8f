// Imported into a service before its program (see tools/stack/services.ts): records CPU profiles on request, so that a
// profile covers a load and not the start. It listens on a Unix socket in a private folder, because a port is open to all.
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';

const SAMPLING_INTERVAL_US = 500;

const session = new Session();
session.connect();

const actions: Record<string, () => Promise<object>> = {
  '/start': async () => {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.post('Profiler.start');
    return {};
  },
  '/stop': async () => {
    const { profile } = await session.post('Profiler.stop');
    await session.post('Profiler.disable');
    return profile;
  },
};

createServer((request, response) => {
  const act = async () => JSON.stringify(await actions[request.url ?? '']?.());
  act().then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
})
  .listen(process.env.PROFILE_SOCKET)
  .unref(); // the service ends as without it
