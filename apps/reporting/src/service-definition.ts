import { defineService } from '@vaultsvc/service';
import { ReportingConfig } from './config.js';
import { ReportingModule } from './reporting.module.js';
import { storage } from './storage.js';

export const reporting = defineService({
  name: 'reporting',
  config: ReportingConfig,
  module: ReportingModule,
  storage,
});
