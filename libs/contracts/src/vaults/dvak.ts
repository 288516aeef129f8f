import { EpochSeconds, IdOf, Int, OneOf, Text } from '../core/fields.js';

export const NHI_DESCRIPTION_MAX = 255;

export const dvakTypes = ['user', 'nhi', 'system'] as const;
export const systemPurposes = ['sharing', 'upload_portal', 'upload_widget', 'messaging'] as const;
export const accessLevels = ['read', 'read_write'] as const;

/** A delegated key as it may be shown at any time: without the key itself. */
export class Dvak {
  @OneOf(dvakTypes) dvak_type: (typeof dvakTypes)[number];
  @IdOf('usr', { nullable: true }) authorized_user_id: string | null;
  @Text({ max: 254, nullable: true }) authorized_user_email: string | null;
  @Text({ max: NHI_DESCRIPTION_MAX, nullable: true }) nhi_description: string | null;
  @OneOf(systemPurposes, { nullable: true, description: 'What the platform itself uses it for.' })
  system_purpose: (typeof systemPurposes)[number] | null;
  @OneOf(accessLevels, { nullable: true, description: 'null: a legacy key, which may read and write.' })
  access_level: (typeof accessLevels)[number] | null;
  @Text({ max: 4 }) last_4_chars: string;
  @OneOf(['active', 'revoked']) status: 'active' | 'revoked';
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null until the first use.' }) last_used_at: number | null;
  @Int({ min: 0 }) use_count: number;
}
