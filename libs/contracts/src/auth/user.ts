import { EpochSeconds, IdOf, OneOf, Text } from '../core/fields.js';
import { roles, seats } from './session.js';

/** OPEN-57. `invited` until the first sign-in; until then the name is null. */
export class User {
  @IdOf('usr') user_id: string;
  @Text({ max: 254 }) email: string;
  @Text({ max: 255, nullable: true }) name: string | null;
  @OneOf(roles) role: (typeof roles)[number];
  @OneOf(seats) seat: (typeof seats)[number];
  @OneOf(['invited', 'active']) status: 'invited' | 'active';
  @EpochSeconds() created_at: number;
}

export class UserParams {
  @IdOf('usr') user_id: string;
}
