/** Texts that the specification gives word for word, as the built-in brand has them. */

const sixFeatures = [
  "AI-Powered Grading",
  "Personalized Feedback",
  "Comprehensive Reports",
  "Plagiarism Detection",
  "Quality Assurance",
  "Massive Time Savings",
];

/** Titles of articles. */
export const articleTitles = [
  "Fairness in Assessments: How AI is Transforming Evaluation",
  "Enhancing Training Programs with AI-Powered Assessments",
  "The Future of Automated Grading: How AI is Revolutionising Education",
  "The Accuracy of AI in Exam Grading Compared to Human Graders",
  "Challenges and Solutions in Implementing AI Exam Grading",
  "The Promise and Perils of AI in Education",
  "Accuracy and Fairness in Grading Are Non-Negotiable",
  "What Are the 10 Best AI Tools and Websites for Education?",
  "Say Goodbye to Grading Stress",
];

/** Texts by the path of the page that has them. */
export const specifiedOnPages: Record<string, string[]> = {
  "/": [
    ...["Try Free Demo", "Contact Us", "NEW", ...sixFeatures],
    ...["Process with AI", "up to 90%", "80+ hours"],
    ...["Academic manager", "High school English teacher", "Academic head"],
  ],
  "/features": [
    ...sixFeatures,
    ...["Higher Education", "Primary & Secondary Schools", "Online Learning"],
    ...["Instant Processing", "Continuous Improvement", "Complete Privacy"],
    ...["Moodle", "Canvas", "D2L Brightspace", "Custom Solutions"],
    ...["99.2% accuracy", "within minutes", "unlimited", "24/7", "eleven official languages"],
    ...["90 and above", "80 and above", "70 and above", "below 70", "ISO 27001"],
  ],
  "/figures": ["95–98%", "80%", "about two work weeks"],
  "/blog": [...articleTitles, ...["Stay Updated", "Subscribe"]],
  "/fairness-in-assessments": [
    "Back to Blog",
    "AI in Education",
    "31 July 2021",
    "Try Rubricon Demo",
  ],
  "/latest-feature": [
    ...["Smart Rubric and Memo Alignment", "Latest Feature", "Try Smart Rubric Now"],
    ...["The Challenge in Assessment Marking", "How Rubricon Solves This"],
    ...["Analysis", "Strengths & Weaknesses", "Suggestions", "Regeneration"],
    ...["Benefits for Educators & Institutions", "Why It Matters", "Get Started Now"],
    ...["Assessment Questions *", "Grading Rubric *", "Marking Memo (optional)"],
    "Generate Smart Rubric",
    "Please upload both Assessment Questions and Grading Rubric files to continue",
    ...["Smart Rubric & Memo Alignment", "Full Name *", "Email Address *", "Contact Number *"],
    ...["Institution (optional)", "Expected Improvements *"],
    "Our team will contact you within 24-48 hours",
  ],
  "/security-policy": [
    ...["Role-based access", "optional multi-factor authentication", "Session timeouts"],
  ],
  "/terms-conditions": [
    "terminate the agreement after 10 days’ notice",
    "2% per month compounded monthly",
    "disconnect or reconnect fee of 10% of the total outstanding invoice",
    "survives termination for 5 years",
    "for 24 months after termination",
    ...["courts of Durban in KwaZulu-Natal", "Arbitration Foundation of Southern Africa"],
    "Payments are non-refundable unless these terms or the law say otherwise",
    "Unauthorised elevation of permissions",
  ],
  "/privacy-policy": [
    "not directed to people under 18",
    ...["access", "correction", "deletion", "objection", "opt out of non-essential cookies"],
    "Data protection officer",
  ],
  "/test-forms": ["Email notifications are sent on demo requests"],
  "/nowhere": ["404 Page Not Found", "Did you forget to add the page to the router?"],
};

/** Texts in the scripts of forms, which show them once something was done. */
export const specifiedInScripts = [
  "Missing files - Please upload all required files before processing",
  "File size too large",
  "Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.",
  "Contact number is required",
  "Please provide more details about your interest in the product",
  "Missing fields - Please fill in all required fields",
  "Full name is required",
  "Please enter a valid email address",
  "Message is required",
  "Please describe what improvements you're looking for",
  "Submission failed",
  "There was an error submitting your information. Please try again.",
  "Failed to send message. Please try again.",
  "Submission Failed",
  "Please try again later.",
  "Smart Rubric Request Submitted",
  " to discuss your rubric requirements.",
  "Request Smart Rubric Service",
  "Processing...",
  "SUCCESS",
  "ERROR",
];
