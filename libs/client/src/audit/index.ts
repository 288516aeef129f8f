export {
  AuditExportProblem,
  verifyAuditExport,
  type AuditExport,
  type AuditReport,
  type AuditVerification,
} from './verify-audit-export.js';
