export { startPlatform, type Platform } from './platform.js';
