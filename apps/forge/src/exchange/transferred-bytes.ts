import { Counter } from 'prom-client';

const transferred = new Counter({
  name: 'vaultsvc_transfer_bytes_total',
  help: 'Bytes of contents: in, of committed chunks; out, written to the connections of downloads.',
  labelNames: ['direction'],
});

export const bytesIn = transferred.labels({ direction: 'in' });
export const bytesOut = transferred.labels({ direction: 'out' });
