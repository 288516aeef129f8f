import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readLogFile, type LogFileContent } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { LogFiles } from './log-files.js';

@Controller()
export class ReadLogFile {
  constructor(private readonly files: LogFiles) {}

  @Handles(readLogFile)
  async handle({ body: { path } }: Input<typeof readLogFile>): Promise<LogFileContent> {
    const bytes = path === 'checkpoint' ? await this.#checkpoint() : await this.files.read(path);
    return { content: bytes?.toString('base64') ?? null };
  }

  async #checkpoint(): Promise<Buffer | undefined> {
    const note = await this.files.checkpoint();
    return note === undefined ? undefined : Buffer.from(note);
  }
}
