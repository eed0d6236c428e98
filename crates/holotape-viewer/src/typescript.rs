//! Generates the TypeScript side of the contract between server and page: types, JSON Schemas that the page validates responses
//! with, and joint tables.
//!
//! The generated files are checked in. The test fails if they are stale; `cargo xtask generate` rewrites them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use holotape::stream::{ClientMessage, ServerMessage};
use holotape::{Joint, Skeleton};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api::{ApiError, Preview, RecordingInfo, SaveResult, ViewerState};
use crate::curve_pack::CurvePackHeader;
use crate::edit::{Edit, PreviewRequest, SaveRequest};
use crate::live::LiveMessage;
use crate::server::DownloadFormat;

const HEADER: &str = "// Generated from the Rust types by `cargo xtask generate`. Do not edit.\n";

#[test]
fn generated_typescript_is_current() {
    let responses = responses();
    let mut all = responses.clone();
    all.extend(requests());
    check("api.ts", &types(&all, &responses));
    check("schemas.ts", &schemas(responses));
    check("joints.ts", &joints());
}

/// Compares a generated file with the one that is checked in, or writes it if `HOLOTAPE_GENERATE` is set.
fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/generated").join(name);
    if env::var_os("HOLOTAPE_GENERATE").is_some() {
        fs::write(&path, text).expect("a writable file");
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    assert!(current == text, "{} is stale: run `cargo xtask generate`", path.display());
}

/// Schemas of all types that the page receives.
fn responses() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.subschema_for::<ViewerState>();
    generator.subschema_for::<RecordingInfo>();
    generator.subschema_for::<Preview>();
    generator.subschema_for::<SaveResult>();
    generator.subschema_for::<ApiError>();
    generator.subschema_for::<CurvePackHeader<'_>>();
    generator.subschema_for::<ServerMessage>();
    generator.subschema_for::<LiveMessage>();
    generator.take_definitions(true)
}

/// Schemas of all types that the page sends.
fn requests() -> Map<String, Value> {
    let mut generator = SchemaGenerator::default();
    generator.subschema_for::<Edit>();
    generator.subschema_for::<PreviewRequest>();
    generator.subschema_for::<SaveRequest>();
    generator.subschema_for::<DownloadFormat>();
    generator.subschema_for::<ClientMessage>();
    generator.take_definitions(true)
}

fn types(all: &Map<String, Value>, responses: &Map<String, Value>) -> String {
    let mut text = HEADER.to_owned();
    for (name, schema) in all {
        let doc = doc_comment(schema, "");
        let _ = match schema.get("properties") {
            Some(_) => write!(text, "\n{doc}export interface {name} {}\n", fields(schema, "")),
            None => write!(text, "\n{doc}export type {name} = {};\n", type_of(schema, "")),
        };
    }
    text += "\n/** Types that `schemas.ts` describes, by name. */\nexport interface Responses {\n";
    for name in responses.keys() {
        let _ = writeln!(text, "  readonly {name}: {name};");
    }
    text + "}\n"
}

/// The TypeScript type of a schema.
fn type_of(schema: &Value, indent: &str) -> String {
    let list = |key: &str| schema[key].as_array().filter(|list| !list.is_empty());
    let union = |list: &Vec<Value>| list.iter().map(|schema| type_of(schema, indent)).collect::<Vec<_>>().join(" | ");
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or(name);
        // A variant of a tagged enum that contains a struct.
        return schema.get("properties").map_or(name.to_owned(), |_| format!("{name} & {}", fields(schema, indent)));
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = list("enum") {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(variants) = list("oneOf").or_else(|| list("anyOf")) {
        return union(variants);
    }
    if let Some(types) = list("type") {
        let with_type = |kind: &Value| {
            let mut single = schema.clone();
            single["type"] = kind.clone();
            single
        };
        return union(&types.iter().map(with_type).collect());
    }
    match schema["type"].as_str() {
        Some("object") => fields(schema, indent),
        Some("array") => array_type(schema, indent),
        Some("integer" | "number") => "number".to_owned(),
        Some(name) => name.to_owned(),
        None => panic!("a schema that has no TypeScript type: {schema}"),
    }
}

fn array_type(schema: &Value, indent: &str) -> String {
    let item = type_of(&schema["items"], indent);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(min), Some(max)) if min == max => format!("readonly [{}]", vec![item; min as usize].join(", ")),
        _ if item.contains(' ') => format!("readonly ({item})[]"),
        _ => format!("readonly {item}[]"),
    }
}

fn fields(schema: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut text = "{\n".to_owned();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let optional = if required.contains(&Value::from(name.as_str())) { "" } else { "?" };
        let doc = doc_comment(field, &inner);
        let _ = writeln!(text, "{doc}{inner}readonly {name}{optional}: {};", type_of(field, &inner));
    }
    text + indent + "}"
}

/// The first paragraph of the documentation; the others are examples in Rust.
fn doc_comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    format!("{indent}/** {} */\n", paragraph.replace('\n', " "))
}

/// The schemas without documentation, which the page does not need.
fn schemas(definitions: Map<String, Value>) -> String {
    let mut schemas = Value::Object(definitions);
    remove_unused(&mut schemas);
    format!("{HEADER}\nexport const SCHEMAS = {};\n", serde_json::to_string_pretty(&schemas).expect("JSON"))
}

fn remove_unused(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, value| !(matches!(&**key, "description" | "format") && value.is_string()));
            object.values_mut().for_each(remove_unused);
        }
        Value::Array(list) => list.iter_mut().for_each(remove_unused),
        _ => {}
    }
}

fn joints() -> String {
    let webxr = |value: fn(Joint) -> Value| Skeleton::WebXr.joints().map(value).collect::<Value>();
    let parents = Joint::ALL.map(|joint| joint.parent().map(Joint::index));
    let tables = [
        ("Joints of a hand, in the order of the file.", "JOINTS", json!(Joint::ALL.map(Joint::name))),
        ("Index of each joint's parent.", "JOINT_PARENTS", json!(parents)),
        (
            "WebXR joints, in the order of the specification.",
            "WEBXR_JOINTS",
            webxr(|joint| json!(Skeleton::WebXr.joint_name(joint))),
        ),
        ("Index in `JOINTS` of each WebXR joint.", "WEBXR_JOINT_INDICES", webxr(|joint| json!(joint.index()))),
        (
            "A typical radius of each WebXR joint in metres. Recordings have none.",
            "WEBXR_JOINT_RADII",
            // The shortest decimal number, not that of the f64.
            webxr(|joint| joint.typical_radius_m().to_string().parse().unwrap_or_default()),
        ),
    ];
    let table = |(doc, name, values): (&str, &str, Value)| {
        format!("\n/** {doc} */\nexport const {name} = {values} as const;\n")
    };
    HEADER.to_owned() + &tables.map(table).concat()
}
