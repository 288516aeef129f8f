import { errorReasons, type ErrorReason } from '@vaultsvc/contracts';
import type { ReferenceOptions } from './reference-options.js';

/** Details of the reasons that always have some. */
const details: Partial<Readonly<Record<ErrorReason, object>>> = {
  VALIDATION_ERROR: {
    fields: [{ field: 'ttl_minutes', message: 'ttl_minutes must be an integer from 1 to 1440' }],
  },
  QUOTA_EXCEEDED: { resource: 'bandwidth', action_required: 'add_bandwidth_block' },
};

/** The error body of a reason, as `#/components/examples` has it. */
export function errorExample(reason: ErrorReason, { version, origin }: ReferenceOptions): object {
  const { code, message } = errorReasons[reason];
  const isLimit = code === 'RATE_LIMIT_EXCEEDED' && reason !== 'LIMITER_UNAVAILABLE';
  const limits = isLimit && { limit: 300, used: 300, resets_at: 1_795_600_020 };
  return {
    summary: message,
    value: {
      error: {
        code,
        message,
        details: { ...details[reason], ...limits, reason, docs: `${origin}/docs/errors#${reason}` },
      },
      meta: { api_version: version, request_id: 'req_5uJx8QmZt2vKr7nLs4YpBd' },
    },
  };
}
