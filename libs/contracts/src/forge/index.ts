export { bytesSent, Sending, UploadEnd, uploadEnded, uploadFinalized } from './events.js';
export {
  admitTransfer,
  revokeTransfers,
  Transfer,
  TransferAdmitted,
  TransferRevocation,
  TransfersRevoked,
} from './transfer.js';
