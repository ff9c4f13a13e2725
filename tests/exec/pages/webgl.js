// What the WebGL pages share: programs, attributes, places of six pictures in a canvas.
"use strict";
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
let trouble = "";

function begin(kind, attributes) {
    const g = document.getElementById("canvas").getContext(kind, attributes);
    if (!g)
        console.log("page: trouble: there is no context");
    return g;
}

function program(g, vertex, fragment, feedback) {
    const p = g.createProgram();
    for (const [type, source] of [[g.VERTEX_SHADER, vertex], [g.FRAGMENT_SHADER, fragment]]) {
        const shader = g.createShader(type);
        g.shaderSource(shader, source);
        g.compileShader(shader);
        trouble += g.getShaderInfoLog(shader) || "";
        g.attachShader(p, shader);
    }
    if (feedback)
        g.transformFeedbackVaryings(p, feedback, g.INTERLEAVED_ATTRIBS);
    g.linkProgram(p);
    trouble += g.getProgramInfoLog(p) || "";
    return p;
}

function use(g, p, uniforms) {
    g.useProgram(p);
    for (const [name, value] of Object.entries(uniforms)) {
        const at = g.getUniformLocation(p, name);
        if (value.length === 16)
            g.uniformMatrix4fv(at, false, value);
        else
            g.uniform1f(at, value);
    }
}

function attribute(g, p, name, size, values) {
    const at = g.getAttribLocation(p, name);
    g.bindBuffer(g.ARRAY_BUFFER, g.createBuffer());
    g.bufferData(g.ARRAY_BUFFER, new Float32Array(values), g.STATIC_DRAW);
    g.enableVertexAttribArray(at);
    g.vertexAttribPointer(at, size, g.FLOAT, false, 0, 0);
    return at;
}

// One of three columns and two rows of the canvas.
function place(g, column, row) {
    g.viewport(column * 160, row * 160, 160, 160);
    g.scissor(column * 160, row * 160, 160, 160);
    g.enable(g.SCISSOR_TEST);
}

function checkers(g, size) {
    const pixels = new Uint8Array(size * size * 4);
    for (let y = 0; y < size; y++)
        for (let x = 0; x < size; x++) {
            const on = (x >> 3 ^ y >> 3) & 1;
            pixels.set([on ? 255 : x * 4, on ? y * 4 : 40, on ? 60 : 200, on ? 255 : 100], (y * size + x) * 4);
        }
    const image = g.createTexture();
    g.bindTexture(g.TEXTURE_2D, image);
    g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, size, size, 0, g.RGBA, g.UNSIGNED_BYTE, pixels);
    g.generateMipmap(g.TEXTURE_2D);
    return image;
}

function turned(x, y) {
    const [a, b, c, d] = [Math.cos(x), Math.sin(x), Math.cos(y), Math.sin(y)];
    return [c, b * d, -a * d, 0, 0, a, b, 0, d, -b * c, a * c, 0, 0, 0, 0, 1];
}

function perspective() {
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -0.2, -0.6, 0, 0, 0, 1];
}

function end(g) {
    for (let error; (error = g.getError());)
        trouble += ` error 0x${error.toString(16)}`;
    const of = g.getExtension("WEBGL_debug_renderer_info");
    console.log(`page: ${g.getParameter(of ? of.UNMASKED_RENDERER_WEBGL : g.RENDERER)}, trouble: ${trouble || "none"}`);
}
