// Before any spec is loaded: decorators write their metadata with it.
import 'reflect-metadata';
import { register } from 'prom-client';
import { buildConstants } from '../build/build-constants.ts';

// Builds replace these names by their values; specs run the sources.
Object.assign(globalThis, buildConstants());

// Metrics count for the whole worker, and a spec file expects its own.
register.resetMetrics();
