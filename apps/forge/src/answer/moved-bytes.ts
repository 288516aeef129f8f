import { Counter } from 'prom-client';

const moved = new Counter({
  name: 'vaultsvc_transfer_bytes_total',
  help: 'Bytes of contents: in, of chunks that count; out, handed to the connections of downloads.',
  labelNames: ['direction'],
});

export const movedIn = moved.labels({ direction: 'in' });
export const movedOut = moved.labels({ direction: 'out' });
