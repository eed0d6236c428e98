// Replays an action recording in a headless browser and prints the data a page receives.
// Usage: node iwer_replay.mjs FILE
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {chromium} from 'playwright-core';

const recording = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const iwer = createRequire(import.meta.url).resolve('iwer/build/iwer.js');

// Steps through all frames within one frame of the page, independent of the clock, then plays once at 10x speed.
async function replay(recording) {
    const session = await navigator.xr.requestSession('immersive-vr', {
        requiredFeatures: ['local-floor', 'hand-tracking', 'gaze-tracking'],
    });
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', {xrCompatible: true});
    await session.updateRenderState({baseLayer: new XRWebGLLayer(session, context)});
    const space = await session.requestReferenceSpace('local-floor');
    // An XRFrame is valid only within the callback.
    const inFrame = work => new Promise((resolve, reject) => session.requestAnimationFrame((_, frame) => {
        try {
            resolve(work(frame));
        } catch (error) {
            reject(error);
        }
    }));

    const numbers = ({position: p, orientation: q}) => [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
    const seen = (frame, player) => {
        const inputs = {};
        for (const source of player.inputSources) {
            const ray = numbers(frame.getPose(source.targetRaySpace, space).transform);
            const joints = source.hand && [...source.hand.values()].map(joint => {
                const pose = frame.getJointPose(joint, space);
                return [...numbers(pose.transform), pose.radius];
            });
            inputs[source.hand ? source.handedness : source.targetRayMode] =
                {ray, joints, pressed: source.gamepad?.buttons[0].pressed ?? null};
        }
        return {time: player.currentTime, viewer: numbers(frame.getViewerPose(space).transform), inputs};
    };

    const events = [];
    let player;
    for (const type of ['selectstart', 'select', 'selectend']) {
        session.addEventListener(type, ({inputSource}) =>
            events.push({type, hand: inputSource.handedness, time: player.currentTime}));
    }

    const frames = await inFrame(frame => {
        const eventContext = {session, getFrame: () => frame};
        player = window.device.createActionPlayer(space, recording, {loop: true, eventContext});
        // A step from the last frame goes to the first one; the player cannot seek there.
        player.seek(player.duration);
        const frames = recording.frames.map(() => {
            player.stepFrames(1);
            return seen(frame, player);
        });
        player.stop();
        return frames;
    });
    const stepped = events.splice(0);

    player = window.device.createActionPlayer(space, recording, {playbackRate: 10});
    player.play();
    const sources = new Set();
    while (player.playing) {
        await inFrame(() => {
            for (const source of session.inputSources) sources.add(source.hand ? source.handedness : source.targetRayMode);
        });
    }
    const result = {frames, events: stepped, duration: player.duration, played: player.currentTime, sources: [...sources].sort()};
    await session.end();
    return result;
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const errors = [];
    page.on('pageerror', error => errors.push(String(error)));
    // WebXR requires a secure origin; all requests are answered locally.
    await page.route('**/*', route => route.fulfill({contentType: 'text/html', body: '<!doctype html><title>replay</title>'}));
    await page.addInitScript({path: iwer});
    await page.addInitScript(() => {
        window.device = new IWER.XRDevice(IWER.metaQuestPro);
        window.device.installRuntime({forceInstall: true});
        window.device.primaryInputMode = 'hand';
    });
    await page.goto('https://replay.test/');
    const result = await page.evaluate(replay, recording);
    console.log(JSON.stringify({...result, errors}));
} finally {
    await browser.close();
}
