// Before any spec is loaded: decorators write their metadata with it.
import 'reflect-metadata';
import fc from 'fast-check';
import { register } from 'prom-client';
import { buildConstants } from '../build/build-constants.ts';

// Builds replace these names by their values; specs run the sources.
Object.assign(globalThis, buildConstants());

// Properties try the same values in each run of the tests, so that none fails by chance beside a change that has not caused it.
// `npm run test:shaken` and `npm run fuzz` draw others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

// Metrics count for the whole worker, and a spec file expects its own.
register.resetMetrics();
