-- Why: what a subtype is in linked data (CIDOC CRM 7.1.3, LRMoo 1.1.1) is the installation's to say, as that of fields and links.

alter table record_subtypes add column crm_class text;

-- the others are what every record of their type is
update record_subtypes s set crm_class = d.crm_class
from (values
  ('object', 'book', 'lrmoo:F5_Item'),
  ('object', 'manuscript', 'lrmoo:F5_Item'),
  ('entity', 'person', 'crm:E21_Person'),
  ('entity', 'organisation', 'crm:E74_Group'),
  ('entity', 'family', 'crm:E74_Group'),
  ('entity', 'group', 'crm:E74_Group'),
  ('occurrence', 'exhibition', 'crm:E7_Activity'),
  ('occurrence', 'excavation', 'crm:E7_Activity'),
  ('occurrence', 'period', 'crm:E4_Period'),
  ('occurrence', 'performance', 'lrmoo:F31_Performance'),
  ('occurrence', 'work', 'lrmoo:F1_Work'),
  ('occurrence', 'expression', 'lrmoo:F2_Expression'),
  ('occurrence', 'manifestation', 'lrmoo:F3_Manifestation'),
  ('procedure', 'object_entry', 'crm:E10_Transfer_of_Custody'),
  ('procedure', 'acquisition', 'crm:E8_Acquisition'),
  ('procedure', 'location_and_movement', 'crm:E9_Move'),
  ('procedure', 'object_exit', 'crm:E10_Transfer_of_Custody'),
  ('procedure', 'loan_in', 'crm:E10_Transfer_of_Custody'),
  ('procedure', 'loan_out', 'crm:E10_Transfer_of_Custody'),
  ('procedure', 'condition_check', 'crm:E14_Condition_Assessment'),
  ('procedure', 'conservation', 'crm:E11_Modification')) d(record_type, name, crm_class)
where s.record_type = d.record_type and s.name = d.name;
