export { PublicHealth, readHealth } from './read-health.js';
