import type { ServerResponse } from 'node:http';
import { Controller, Get, Res } from '@nestjs/common';
import { JSON_CONTENT_TYPE } from '@vaultsvc/http';
import { ForgeConfig } from '../config.js';

/** The public health of the transfer origin (FRG-01). */
@Controller()
export class HealthController {
  constructor(private readonly config: ForgeConfig) {}

  @Get('health')
  read(@Res() response: ServerResponse): void {
    const body = { status: 'ok', version: this.config.BUILD_VERSION, timestamp: new Date().toISOString() };
    response.setHeader('Content-Type', JSON_CONTENT_TYPE);
    response.end(JSON.stringify(body));
  }
}
