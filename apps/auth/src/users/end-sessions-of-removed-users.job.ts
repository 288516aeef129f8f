import { Injectable } from '@nestjs/common';
import { RemovedUserSessions } from './removed-user-sessions.js';

/** Ends the sessions of removed users that their removal did not end. */
@Injectable()
export class EndSessionsOfRemovedUsers {
  readonly everySeconds = 60;

  constructor(private readonly sessions: RemovedUserSessions) {}

  run(): Promise<void> {
    return this.sessions.endPending();
  }
}
