export { bytesSent, Sending, UploadEnd, uploadEnded, uploadFinalized } from './events.js';
export {
  admitTransfer,
  revokeTransfers,
  STREAM_IDLE_SECONDS,
  Transfer,
  TransferAdmitted,
  TransferRevocation,
  TransfersRevoked,
} from './transfer.js';
