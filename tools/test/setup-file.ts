// Before any spec is loaded: decorators write their metadata with it.
import 'reflect-metadata';
import { register } from 'prom-client';

// Metrics count for the whole worker, and a spec file expects its own.
register.resetMetrics();
